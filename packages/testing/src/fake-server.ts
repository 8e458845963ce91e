import { fileURLToPath } from 'node:url';

/** How a fake server is to behave; without any, it behaves well. */
export interface FakeServerSwitches {
  /** What `serverInfo` says; default `fake`. */
  readonly name?: string;
  readonly instructions?: string;
  /** Answered whatever was asked for. */
  readonly protocolVersion?: string;
  /** Written to stderr at start. */
  readonly stderr?: string;
  /** Ends with this code at start, before a word. */
  readonly exitCode?: number;
  /** Only the first so many starts end so; needs `exitCode` and `startsFile`. */
  readonly failStarts?: number;
  /** Each start appends its process id as a line. */
  readonly startsFile?: string;
  /** Answers `initialize` only once this file is there. */
  readonly waitForFile?: string;
  /** Never answers this method. */
  readonly hang?: string;
  /** Answers it until this file is there; from then on what it was asked is appended, a line each. */
  readonly hangFile?: string;
  /** Prints what is no message on stdout, at start and before each answer. */
  readonly rubbish?: boolean;
  /** Stays when stdin ends. */
  readonly ignoreEnd?: boolean;
  readonly ignoreSigterm?: boolean;
  /** Once this file is there, `echo` has another description. */
  readonly markerFile?: string;
  /** How many items a page of any list has; default all. */
  readonly pageSize?: number;
  /** The last page of a list names itself as the next. */
  readonly repeatCursor?: boolean;
  /** Lists broken definitions among the good ones. */
  readonly badTool?: boolean;
  /** Tools with these definitions, as they are; each answers the beginning of its arguments. */
  readonly hostileTools?: readonly Readonly<Record<string, unknown>>[];
  /** Asks for roots when it is told that they changed; what came of it is among what `received` gives. */
  readonly asksForRoots?: boolean;
  /** Two tools whose names have 80 characters and differ in the last. */
  readonly longName?: boolean;
  /** Tools with names that hosts refuse. */
  readonly oddNames?: boolean;
  /** Read-only tools `structure_alone`, `tool_result`, `plain_string` and `textless`, whose answers MCP does not have. */
  readonly oddAnswers?: boolean;
  /**
   * A tool `say` that answers the text that it is given, and a picture beside it; a tool `forge` that answers any
   * result, or fails with any error, that it is given.
   */
  readonly says?: boolean;
  /** So many tools `tool_0000`, `tool_0001` … beside. */
  readonly manyTools?: number;
  /** Tools with every construct of JSON Schema 2020-12, output schemas, icons, `_meta`, unknown keys. */
  readonly schemas?: boolean;
  /**
   * Resources, templates, subscriptions, prompts and completions; `touch_resource` tells of an update. A text is the
   * scheme of their URIs, in the place of `fake`.
   */
  readonly resources?: boolean | string;
  /** A tool `picture` that answers a picture of one pixel and nothing else. */
  readonly picture?: boolean;
  /** With `resources`: one of each kind that clients on the official SDK refuse its list for, and more. */
  readonly oddOffers?: boolean;
}

/**
 * How to start a stdio server with these switches. It always has the tools `echo`, `who`, `received`, `fail`,
 * `rich`, `slow`, `burst`, `die`, `fork`, `ask`, `log`, `notify`, `change_list`, `flood`, `fail_at_length`
 * and `nest`, whose descriptions say what they do.
 */
export function fakeServer(switches: FakeServerSwitches = {}): { command: string; args: string[] } {
  const program = fileURLToPath(new URL('../servers/fake/main.mjs', import.meta.url));
  return { command: process.execPath, args: [program, JSON.stringify(switches)] };
}
