import type { PackageName } from './packages.ts';

/** A question with one right answer in the code. */
export interface Question {
  readonly package: PackageName;
  readonly question: string;
  /** Stands in the code: so the answer is there. */
  readonly where: string;
  /** Each must match in a right answer. */
  readonly accepts: readonly RegExp[];
}

export const questions: readonly Question[] = [
  {
    package: 'ms',
    question:
      'From how many characters on does this package refuse to parse a text, that is, what is the longest text it parses?',
    where: 'str.length > 100',
    accepts: [/\b100\b/],
  },
  {
    package: 'bytes',
    question: 'To how many decimal places are sizes formatted where no option says so?',
    where: 'options.decimalPlaces : 2',
    accepts: [/\b(2|two)\b/i],
  },
  {
    package: 'range-parser',
    question: 'What exactly is returned for a header in which there is no equals sign?',
    where: 'return -2',
    accepts: [/[-−]2\b/],
  },
  {
    package: 'fresh',
    question: 'Which directive of which request header makes every response stale?',
    where: 'CACHE_CONTROL_NO_CACHE_REGEXP',
    accepts: [/cache-control/i, /no-cache/i],
  },
  {
    package: 'yocto-queue',
    question: 'What does dequeue return from an empty queue?',
    where: 'if (!current) {\n\t\t\treturn;',
    accepts: [/undefined/i],
  },
  {
    package: 'camelcase',
    question: 'Which characters separate words? Name them all.',
    where: '[_.\\- ]',
    accepts: [/_|underscore/i, /\.|dot|period/i, /-|hyphen|dash/i, /space|blank|` `|" "|' '/i],
  },
  {
    package: 'cookie',
    question: 'Where a cookie stands twice in a header, which of its values does parse keep?',
    where: '// only assign once',
    accepts: [/\bfirst\b/i],
  },
  {
    package: 'minimist',
    question: 'Which option ends parsing at the first argument that is no flag?',
    where: 'opts.stopEarly',
    accepts: [/stopEarly/],
  },
  {
    package: 'content-type',
    question: 'In which order does format write the parameters?',
    where: 'Object.keys(parameters).sort()',
    accepts: [/sorted|alphabet|lexicograph|ascending|\.sort\(/i],
  },
];
