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

/** So many are named in a line. */
const NAMED = 5;

/** Says now and then, in one line, which servers have not answered, and for how long: a first start may download one. */
export function waitedFor(say: (line: string) => void, now: () => number = Date.now): WaitedFor {
  const pending = new Map<string, { readonly since: number; readonly downloadedBy: string | undefined }>();
  const explained = new Set<string>();
  const keyOf = ({ toolbox, server }: { toolbox: string; server: string }) => `${toolbox} / ${server}`;
  const timer = setInterval(() => {
    if (pending.size === 0) return;
    const each = [...pending].map(
      ([name, { since }]) => `${name} (${Math.round((now() - since) / 1_000)} s)`,
    );
    const more = each.length > NAMED ? [`and ${each.length - NAMED} more`] : [];
    say(`waits for ${[...each.slice(0, NAMED), ...more].join(', ')}${why()}`);
  }, WONDER_MS);

  /** Once for each program that downloads. */
  function why(): string {
    const by = new Set([...pending.values()].flatMap(({ downloadedBy }) => downloadedBy ?? []));
    const unexplained = [...by].filter((each) => !explained.has(each));
    for (const each of unexplained) explained.add(each);
    if (unexplained.length === 0) return '';
    return `: a first start by ${unexplained.join(' or ')} downloads what is not in its cache`;
  }

  return {
    begin: (server) => void pending.set(keyOf(server), { since: now(), downloadedBy: server.downloadedBy }),
    end: (server) => void pending.delete(keyOf(server)),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
