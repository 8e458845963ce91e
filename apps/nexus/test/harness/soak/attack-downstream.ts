import type { McpClient } from './mcp-client.ts';

const CALLS: readonly (readonly [tool: string, args: object])[] = [
  ['pattern', { text: `${'a'.repeat(40)}!` }],
  ['pattern_names', { names: Object.fromEntries([[`${'a'.repeat(40)}!`, 1]]) }],
  ['unique', { items: Array.from({ length: 40_000 }, (_, at) => ({ at })) }],
  ['doubling', { tree: 1 }],
  ['flood', { count: 20_000 }],
  ['giant', { bytes: 8_000_000 }],
  ['deep', { depth: 20_000 }],
  ['blocks', { count: 400_000 }],
  ['names', { count: 200_000 }],
  ['silent', {}],
];

/** A session that calls a server that means harm. */
export async function attackByServer(client: McpClient, goesOn: () => boolean): Promise<void> {
  let turn = 0;
  await client.call('open_toolbox', { toolbox: 'hostile' }).catch(() => {});
  for (; goesOn(); turn += 1) {
    const [tool, args] = CALLS[turn % CALLS.length] ?? ['', {}];
    const address = { toolbox: 'hostile', server: 'server', tool };
    await client
      .call('use_tool', { ...address, arguments: args }, AbortSignal.timeout(5_000))
      .catch(() => {});
    await client.call('find_tools', { queries: ['pattern'] }, AbortSignal.timeout(5_000)).catch(() => {});
  }
}
