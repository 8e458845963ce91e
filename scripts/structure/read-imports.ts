import { createRequire } from 'node:module';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';

/** The rules that imports are held to. */
export const rules: {
  readonly forbidden: IForbiddenRuleType[];
  readonly options: Readonly<Record<string, unknown>>;
} = createRequire(import.meta.url)('../../.dependency-cruiser.cjs');

const read = new Map<string, Promise<ICruiseResult>>();

/** Every import of the code in these folders, with what is against the rules; read once for a process. */
export function readImports(root: string, folders: readonly string[]): Promise<ICruiseResult> {
  const key = JSON.stringify([root, folders]);
  const known = read.get(key) ?? cruiseImports(root, [...folders]);
  read.set(key, known);
  return known;
}

async function cruiseImports(root: string, folders: string[]): Promise<ICruiseResult> {
  const { output } = await cruise(folders, {
    ...rules.options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: rules.forbidden },
  });
  if (typeof output === 'string') throw new Error('dependency-cruiser answered with text, not with a result');
  return output;
}
