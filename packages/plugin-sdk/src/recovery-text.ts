/** Under this key of `_meta` a result says how the arguments of its call were read. */
export const NORMALIZED_META_KEY = 'nexus/normalized';

const MAX_NAMES = 20;
const MAX_NAME_CHARS = 80;
/** Any other is quoted: it may be text that only looks like a line of ours. */
const PLAIN_NAME = /^[\w.$-]+$/;

/**
 * What a model is told, in one line, of a call whose arguments were not taken as they came: hosts show models no
 * `_meta`.
 * @returns undefined where each argument was taken as it came
 */
export function recoveryText(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const recovery = Object(meta?.[NORMALIZED_META_KEY]) as Readonly<Record<string, unknown>>;
  const said = [
    saidOf('read the text of', recovery.repaired, 'as JSON'),
    saidOf('took', recovery.listed, 'as a list of one text'),
    saidOf('left out', recovery.nulls, 'since null is no value there'),
    saidOf('passed over', recovery.ignored, 'beside the arguments'),
  ].filter((each) => each !== undefined);
  return said.length === 0 ? undefined : `[Nexus ${said.join('; ')}.]`;
}

function saidOf(verb: string, names: unknown, how: string): string | undefined {
  const texts = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  if (texts.length === 0) return undefined;
  const first = texts.slice(0, MAX_NAMES).map(shown);
  const rest = texts.length - first.length;
  return `${verb} ${first.join(', ')}${rest > 0 ? ` and ${rest} more` : ''} ${how}`;
}

function shown(name: string): string {
  const cut = name.length <= MAX_NAME_CHARS ? name : `${name.slice(0, MAX_NAME_CHARS)}…`;
  return PLAIN_NAME.test(cut) ? cut : JSON.stringify(cut);
}
