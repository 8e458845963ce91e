/** Keys and options whose values are settings, not secrets, as their last word says. */
const HARMLESS =
  /(?:^|[_-])(?:log|level|env|environment|mode|hosts?|hostname|ports?|region|zone|lang|locale|tz|timezone|debug|verbose|timeout|limit|max|min|dirs?|directory|folder|paths?|files?|root|home|urls?|uri|endpoint|base|name|project|enabled|disabled|format|version|model|provider|transport|type|editor|shell|count|size|theme|org|owner|repo|branch|user|username|database|db|schema|table|cluster|profile|bucket|workspace|team|site|domain|id|page|accept|agent)$/i;
/** Short options that some programs take a password or token by. */
const MAY_TAKE_SECRET = /^-[pPutks]$/;
/** `-y` stands before a package, `-e` before an assignment. */
const SHORT_OPTION = /^-[A-Za-z]$/;
const NUMBER = /^[+-]?\d{1,6}(?:\.\d+)?$/;
const SWITCH = /^(?:true|false|yes|no|on|off|null|none)$/i;
const BETWEEN_WORDS = /[\s\-._/\\@:+,~^|=()[\]{}*?!'"<>#%&;$]+/;
const WORD = /^(?:[A-Z]?[a-z]{1,20}|[A-Z]{1,16})(?:[A-Z][a-z]{1,20}){0,3}$/;
/** `v2`, `s3`, `k8s`, `node20`, `30s`. */
const WORD_WITH_NUMBER = /^(?:[A-Za-z]{1,12}\d{1,4}[A-Za-z]{0,3}|\d{1,4}[A-Za-z]{1,6}|\d{1,8})$/;

/**
 * Whether a value is plainly no secret. What can't be told is taken for one: a variable too many costs a
 * line in the environment, one too few a leak.
 * @param about the key, or the option before it; empty where there is none
 */
export function isPlain(value: string, about: string): boolean {
  if (value === '' || SWITCH.test(value) || NUMBER.test(value)) return true;
  if (MAY_TAKE_SECRET.test(about)) return false;
  const words = value.split(BETWEEN_WORDS).filter(Boolean);
  if (!words.every((word) => WORD.test(word) || WORD_WITH_NUMBER.test(word))) return false;
  // Where nothing says what it is, words alone are plain: `hunter2` looks like a name and a password.
  if (about === '' || SHORT_OPTION.test(about) || HARMLESS.test(about)) return true;
  return words.every((word) => WORD.test(word) || (words.length > 1 && /^\d+$/.test(word)));
}

/** Whether an entry of `env` or a header is: of those only what is known to be a setting. */
export function isPlainSetting(value: string, key: string): boolean {
  if (value === '' || SWITCH.test(value) || NUMBER.test(value)) return true;
  return HARMLESS.test(key) && isPlain(value, key);
}
