import { delimiter, sep } from 'node:path';

/** What pnpm and npm say to a script of theirs of this checkout: true of no other, and `verify_deps_before_run` keeps that from its install. */
const OF_THIS_RUN =
  /^(?:(?:npm|pnpm)_(?:lifecycle|package|command|execpath|node_execpath)|npm_config_local_prefix$|pnpm_config_verify_deps|INIT_CWD$|NODE_PATH$|NEXUS_)/i;

/** The environment of a person's shell, for commands in another checkout than the one whose script this is. */
export function ownEnvironment(
  checkout: string,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const own = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || OF_THIS_RUN.test(name) ? [] : [[name, value] as const],
  );
  const path = (env.PATH ?? '')
    .split(delimiter)
    .filter(
      (folder) => !`${folder}${sep}`.startsWith(checkout.endsWith(sep) ? checkout : `${checkout}${sep}`),
    );
  return { ...Object.fromEntries(own), PATH: path.join(delimiter) };
}
