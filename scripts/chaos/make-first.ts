import type { Ground } from './ground.ts';
import type { Made } from './work-kinds.ts';

/** What all work needs, made while nothing is hurt; every server is up by then. */
export async function makeFirst({ hosts }: Ground): Promise<Made> {
  const [client] = await Promise.all(hosts.map((host) => host.client()));
  const made = await client?.callTool({ name: 'create_expert', arguments: { role: 'code' } });
  const { expertId } = (made?.structuredContent ?? {}) as { expertId?: string };
  if (expertId === undefined) throw new Error(`no expert could be made: ${JSON.stringify(made)}`);
  return { expertId };
}
