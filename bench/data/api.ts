/** Bourse's management API, with a token. */
export interface Api {
  readonly headers: Readonly<Record<string, string>>;
  /** The body of an answer, as it came. */
  get(path: string): Promise<string>;
  /** Adds an object to a resource, named by its path, and gives the new ID. */
  add(path: string, wrapper: string, values: object): Promise<number>;
  deactivate(path: string, wrapper: string, id: number): Promise<void>;
}

async function bodyOf(response: Response): Promise<string> {
  const body = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${body}`);
  return body;
}

async function post(url: string, headers: Readonly<Record<string, string>>, body: object) {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return JSON.parse(await bodyOf(response));
}

/** Logs in at the server that listens at `url`. */
export async function logIn(url: string, mail: string, password: string): Promise<Api> {
  const { AccessToken } = await post(`${url}/api/auth/login`, {}, { Username: mail, Password: password });
  const headers = { authorization: `Bearer ${AccessToken}` };
  return {
    headers,
    get: async (path) => bodyOf(await fetch(url + path, { headers })),
    add: async (path, wrapper, values) => {
      const answer = await post(`${url}/api/${path}/add`, headers, { [wrapper]: values });
      return answer[wrapper].Id;
    },
    async deactivate(path, wrapper, Id) {
      await post(`${url}/api/${path}/deactivate`, headers, { [wrapper]: { Id } });
    },
  };
}
