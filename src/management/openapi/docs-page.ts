/** Paths are relative, so that it works below any base URL. */
export const docsHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bourse management API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
</head>
<body>
<noscript>This page needs JavaScript; the document itself is at <a href="api/openapi.json">api/openapi.json</a>.</noscript>
<div id="reference"></div>
<script src="docs/swagger-ui.js"></script>
<script type="module" src="docs/page.js"></script>
</body>
</html>
`;

/** Fields before examples; calls go to the page's own host. */
export const docsScript = `const base = new URL('.', location.href);
const answer = await fetch(new URL('api/openapi.json', base));
const spec = await answer.json();
spec.servers = [{ url: base.href.replace(/\\/$/, '') }];
SwaggerUIBundle({
  spec,
  domNode: document.getElementById('reference'),
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  displayRequestDuration: true,
  defaultModelRendering: 'model',
  defaultModelExpandDepth: 3,
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
});
`;

/** Wider columns and calmer field tables than the library's. */
export const docsStyle = `body { margin: 0; }
.swagger-ui .wrapper { max-width: 1200px; }
.swagger-ui .info { margin: 32px 0 16px; }
.swagger-ui .info__license { display: none; }
.swagger-ui .scheme-container { padding: 12px 0; margin: 0; box-shadow: none; }
.swagger-ui .servers-title, .swagger-ui .servers { display: none; }
.swagger-ui .opblock-tag { font-size: 18px; }
.swagger-ui .model-box { display: block; background: #fff; }
.swagger-ui .response-col_links { display: none; }
.swagger-ui .json-schema-2020-12 { width: 100%; margin-right: 0; box-sizing: border-box; background: #fff; }
.swagger-ui .json-schema-2020-12-expand-deep-button { display: none; }
`;
