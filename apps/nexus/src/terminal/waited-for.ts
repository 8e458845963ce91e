/** What a person is told who waits for servers. */
export interface WaitedFor extends Disposable {
  begin(server: {
    readonly toolbox: string;
    readonly server: string;
    readonly downloadedBy: string | undefined;
  }): void;
  end(server: { readonly toolbox: string; readonly server: string }): void;
}

/** After so long a person wonders, and again after as long. */
const WONDER_MS = 5_000;

/** Says now and then which servers have not answered, and since when: a first start may download a server. */
export function waitedFor(say: (line: string) => void, now: () => number = Date.now): WaitedFor {
  const pending = new Map<string, { readonly since: number; readonly downloadedBy: string | undefined }>();
  const keyOf = ({ toolbox, server }: { toolbox: string; server: string }) => `${toolbox} / ${server}`;
  const timer = setInterval(() => {
    for (const [name, { since, downloadedBy }] of pending) {
      const seconds = Math.round((now() - since) / 1_000);
      const why =
        downloadedBy === undefined
          ? ''
          : `: a first start by ${downloadedBy} downloads what is not in its cache`;
      say(`waits for ${name} since ${seconds} s${why}`);
    }
  }, WONDER_MS);
  return {
    begin: (server) => void pending.set(keyOf(server), { since: now(), downloadedBy: server.downloadedBy }),
    end: (server) => void pending.delete(keyOf(server)),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
