// A process of attackers: `attack.ts <json of AttackOrder>`; ends with its stdin and then says what it did.
import { attackByServer } from './attack-downstream.ts';
import { attackByFeeds } from './attack-feeds.ts';
import { attackByHttp } from './attack-http.ts';
import { attackRepository } from './attack-repository.ts';
import { attackByTexts } from './attack-texts.ts';
import { openClient, type Target } from './mcp-client.ts';

export type AttackKind = 'repository' | 'downstream' | 'http' | 'texts' | 'feeds';

export interface AttackOrder {
  readonly kinds: readonly AttackKind[];
  readonly target: Target;
  /** The repository that the server works on. */
  readonly root: string;
}

const order = JSON.parse(process.argv[2] ?? '') as AttackOrder;
const turns = Object.fromEntries(order.kinds.map((kind) => [kind, 0]));
let isOver = false;
process.stdin.resume().on('close', () => {
  isOver = true;
  // A call that is answered late holds nobody up.
  setTimeout(end, 5_000);
});

await Promise.all(order.kinds.map(attack));
end();

async function attack(kind: AttackKind): Promise<void> {
  const client = await openClient(order.target);
  const goesOn = () => {
    turns[kind] = (turns[kind] ?? 0) + 1;
    return !isOver;
  };
  if (kind === 'repository') await attackRepository(client, order.root, goesOn);
  else if (kind === 'downstream') await attackByServer(client, goesOn);
  else if (kind === 'texts') await attackByTexts(client, order.root, goesOn);
  else if (kind === 'feeds') await attackByFeeds(client, order.root, goesOn);
  else await attackByHttp(client, order.target, goesOn);
}

function end(): void {
  process.stdout.write(JSON.stringify(turns), () => process.exit());
}
