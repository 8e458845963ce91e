import { nearestNames } from '@nexus/plugin-sdk';
import type { Config } from './schema.ts';

/**
 * What `permissions` names and no tool is called, a sentence each: a mistyped `deny` denies nothing. Tools of
 * toolboxes are known only once their servers were seen, so names of theirs are left alone.
 */
export function mistypedPermissions(
  { permissions, toolboxes }: Pick<Config, 'permissions' | 'toolboxes'>,
  tools: readonly string[],
): string[] {
  if (Object.values(toolboxes).some(({ prefix }) => !prefix)) return [];
  return (['allow', 'deny'] as const).flatMap((list) =>
    (permissions[list] ?? [])
      .filter((name) => !name.includes('*') && !name.includes('__') && !tools.includes(name))
      .map((name) => {
        const [near] = nearestNames(name, tools, 1);
        const hint = near === undefined ? '`nexus tools` lists them' : `did you mean ${near}?`;
        return `permissions.${list} names "${name}", and no tool is called that; ${hint}`;
      }),
  );
}
