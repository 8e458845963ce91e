import type { WordPlaces } from './word-places.ts';

/**
 * Whether a key in brackets can name no member but one that stands in the text: a plain text, a number, what is
 * calculated as one, a counter of a loop, a symbol of the language; or is no key at all, but a class of a pattern or a
 * type.
 * @param places of the text with its escapes read
 */
export function isPlainKey(key: string, places: WordPlaces): boolean {
  const read = key.trim();
  return (
    CHOSEN.test(read) ||
    NO_EXPRESSION.test(read) ||
    isClass(read) ||
    isNumber(read, places) ||
    (SYMBOL.test(read) && areSymbolsOwn(places))
  );
}

/** One of plain texts, whichever: `a ? "b" : "c"`, and of types `"b" | "c"`. */
const CHOSEN =
  /^(?:(?:[^?'"`/[\]]*\?\s*(?:"[^"\\]*"|'[^'\\]*'|\d+)\s*:\s*)?(?:"[^"\\]*"|'[^'\\]*'|`[^`\\$]*`|\d+)(?:\s*\|\s*(?:"[^"\\]*"|'[^'\\]*'|\d+))*)?$/;
/** Of types, `[key: string]`; whether a name is in something, which is yes or no; and signs alone. */
const NO_EXPRESSION = /^(?:[\w$]+\s*:[\w$\s|.]+|[\w$]+\s+in\s+[\w$.]+|[^\w$'"`()[\]{}\\]+)$/;

/** A class of a pattern, which no expression is written like. */
function isClass(key: string): boolean {
  return /^[^'"`/\n]*$/.test(key) && (key.startsWith('^') || (key.includes('\\') && !/\\u/i.test(key)));
}

const MINUS = /^[\w$.]+\s*-[\w$.\s-]*$/;
const CALCULATED = /^(?:[\w$.]+\s*(?:[*/%|&^]|>>>?|<<)\s*[\w$.]+|(?:\+\+|--)[\w$.]+|[\w$.]+(?:\+\+|--))$/;
const BY_MATH = /^Math\s*\.\s*[a-z]\w*\((?:[^()'"`]|\([^()'"`]*\))*\)$/;

function isNumber(key: string, places: WordPlaces): boolean {
  if (MINUS.test(key) || CALCULATED.test(key)) return true;
  if (BY_MATH.test(key))
    return places.every('Math', (before, after) => /^\.[a-z]\w*\(/.test(after) && !/[.#]\s*$/.test(before));
  const [, one, other] = /^([\w$.]+)\s*\+\s*([\w$.]+)$/.exec(key) ?? [];
  // With a digit at its begin or end it is no name of a function of the language.
  if (one !== undefined && other !== undefined)
    return (
      [one, other].some((each) => /^\d+$/.test(each)) || [one, other].every((each) => isCounter(each, places))
    );
  return /^[\w$]+$/.test(key) && isCounter(key, places);
}

/** By these a name may be another than the one that is written. */
const HIDES_NAMES =
  /\bwith\s*\(|\bthis\b(?!\s*\??\.|[^\S\n\r\u2028\u2029]+(?!(?:in|instanceof|of|as)\b)[\w$])/;

const DECLARED = /(?:^|[^\w$.#])(?:let|var|const)\s+$/;
const AS_NUMBER = /^\s*(?::\s*number\s*)?=\s*(?:-?\d+|[\w$.]+\s*[-*/%]\s*[\w$.]+)\s*[;,]/;
const NAMES_FUNCTION = /(?:^|[^\w$.])(?:function|class|import|type|interface)$/;
/** What follows where it is only read, or stays a number. */
const READ =
  /^(?:[^\S\n]*(?:\+\+|--)|\s*(?:[-*/%]=|\+=\s*\d+\s*[;)])|\s*(?:[!=]==?|[<>]=?)(?![<>=])|\s*[-+*%](?![=]))/;
const KEYWORD =
  /^(?:return|typeof|instanceof|in|of|new|delete|void|throw|case|do|else|yield|await|default|extends|const|let|var|as|satisfies)$/;

/** Declared as a number, and nowhere in the text, whatever the scope, given anything else or taken as a parameter. */
function isCounter(name: string, places: WordPlaces): boolean {
  if (/^\d/.test(name) || HIDES_NAMES.test(places.text)) return false;
  let isDeclared = false;
  const isOne = places.every(name, (before, after) => {
    if (DECLARED.test(before)) {
      isDeclared = true;
      return AS_NUMBER.test(after);
    }
    if (isNamed(before)) return false;
    return READ.test(after) || /(?:\+\+|--)$/.test(before) || isGiven(before, after);
  });
  return isOne && isDeclared;
}

/** Whether a function or class of that name begins, or an import. */
function isNamed(before: string): boolean {
  return NAMES_FUNCTION.test(before.trimEnd().replace(/\*$/, '').trimEnd());
}

/** As a key, an argument, at the end of a sum, in a template, or as a member of something else by that name. */
function isGiven(before: string, after: string): boolean {
  const [, owner] = /((?<![\w$])[\w$]+|\])\[$/.exec(before.trimEnd()) ?? [];
  if (owner !== undefined) return !KEYWORD.test(owner) && /^\s*\]/.test(after);
  if (/[\w$]\($/.test(before)) return /^\)\s*(?:[;)\],.+*%-]|[!=]==)/.test(after);
  if (/[-+*%<]\s*$/.test(before)) return /^\s*[\])};,]/.test(after);
  if (/\$\{\s*$/.test(before)) return /^\s*\}/.test(after);
  return /(?:^|[^.])\.\s*$/.test(before) && !/\bthis\s*\??\.\s*$/.test(before);
}

const SYMBOL =
  /^Symbol\.(?:iterator|asyncIterator|hasInstance|toPrimitive|toStringTag|dispose|asyncDispose)$/;

/** Whether nothing else is called `Symbol`. */
function areSymbolsOwn(places: WordPlaces): boolean {
  return (
    !HIDES_NAMES.test(places.text.replace(/\bthis\b/g, ' ')) &&
    places.every(
      'Symbol',
      (before, after) => /^(?:\.\w+|\()/.test(after) && !/^\.\w+\s*=(?!=)/.test(after) && !isNamed(before),
    )
  );
}
