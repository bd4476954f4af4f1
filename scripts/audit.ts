import { execFile } from 'node:child_process';

interface Report {
  readonly message?: string;
  readonly metadata?: { readonly vulnerabilities: { readonly high: number; readonly critical: number } };
}

const registryWaitMsMax = 60_000;

function npmAudit(): Promise<string> {
  const args = ['audit', '--omit=dev', '--json', '--fetch-retries=0'];
  const shell = process.platform === 'win32';
  return new Promise((resolve) => {
    // It ends with 1 when it has found something: what it prints tells.
    execFile('npm', args, { timeout: registryWaitMsMax, maxBuffer: 2 ** 26, shell }, (_error, stdout) =>
      resolve(stdout),
    );
  });
}

function parsed(text: string): Report {
  try {
    return JSON.parse(text) as Report;
  } catch {
    return { message: 'npm audit printed no report' };
  }
}

const { metadata, message } = parsed(await npmAudit());
if (!metadata) {
  console.log(`Dependencies not audited, the registry does not answer: ${message ?? 'no reason given'}`);
} else {
  const { high, critical } = metadata.vulnerabilities;
  console.log(`Dependencies audited: ${critical} critical and ${high} high vulnerabilities`);
  if (high + critical > 0) {
    console.error('Run `npm audit --omit=dev` for the list.');
    process.exitCode = 1;
  }
}
