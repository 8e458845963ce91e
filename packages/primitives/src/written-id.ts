/** Things of one sort, as far as people write ids of them. */
export interface IdSort {
  readonly one: string;
  /** What every id of the sort begins with, which need not be written. */
  readonly begins: string;
  /** What the address of one begins with, which may be written for its id; none where they have no address. */
  readonly address?: string;
  /** The command that lists them, and shows one whose id it is given. */
  readonly list: string;
  /** What a model reads one with, whose id stands for `<id>`; none where none can. */
  readonly read?: string;
  /** Why one that is looked for may not be found. */
  readonly gone: string;
}

const OFF_RECORD = 'it never was, or its time on record is over';

/** All that people name by the beginning of an id. */
export const ID_SORTS = {
  run: {
    ...{ one: 'run', begins: 'run_', address: 'nexus://runs/', list: 'nexus runs', gone: OFF_RECORD },
    read: 'read_result with uri "nexus://runs/<id>"',
  },
  job: {
    ...{ one: 'job', begins: 'job_', list: 'nexus jobs', gone: OFF_RECORD },
    read: 'get_job_result with jobId "<id>"',
  },
  task: {
    ...{ one: 'task', begins: 'task_', address: 'nexus://tasks/', list: 'nexus tasks', gone: OFF_RECORD },
    read: 'task_status with taskId "<id>"',
  },
  vote: {
    ...{ one: 'vote', begins: '', address: 'nexus://votes/', list: 'nexus votes' },
    read: 'read_result with uri "nexus://votes/<id>"',
    gone: 'it never was, or is older than those that are listed, and named by its whole id alone',
  },
  conversation: {
    ...{ one: 'conversation', begins: '', list: 'nexus chat --list' },
    gone: 'it never was, or was deleted',
  },
} as const satisfies Readonly<Record<string, IdSort>>;

/** Below this a few characters would name something by chance. */
const MIN_CHARS = 4;
/** Of those that a beginning may mean. */
const SHOWN = 5;
const TOLD_CHARS = 100;

/** What is wrong with an id as it was written, as sentences that say how to go on. */
export interface IdFault {
  readonly why: 'nothing' | 'little' | 'other' | 'none' | 'several';
  readonly fault: string;
}

const bare = (id: string, { begins }: IdSort) => {
  const low = id.toLowerCase();
  return low.startsWith(begins) ? low.slice(begins.length) : low;
};

/** The id that was written, maybe as an address or cut short, and the sort of thing that it says it is of. */
function readId(written: string): { readonly typed: string; readonly of?: IdSort | undefined } {
  const cut = written.trim().replace(/(?:…|\.\.\.)$/, '');
  const sorts: readonly IdSort[] = Object.values(ID_SORTS);
  const low = cut.toLowerCase();
  const addressed = sorts.find(({ address }) => address !== undefined && low.startsWith(address));
  const [typed = ''] = cut.slice(addressed?.address?.length ?? 0).split('/');
  const of = sorts.find(({ begins }) => begins !== '' && typed.toLowerCase().startsWith(begins));
  return { typed, of: of ?? addressed };
}

/** What tells an id from the others of its sort, of what somebody wrote: in small letters, without what all begin with. */
export function startOfId(written: string, sort: IdSort): { readonly start: string } | IdFault {
  const { one, begins, list } = sort;
  const { typed, of } = readId(written);
  const shows = `\`${list}\` lists them.`;
  if (typed === '') return { why: 'nothing', fault: `No id of a ${one} was written. ${shows}` };
  if (begins.startsWith(typed.toLowerCase())) {
    const fault = `${typed} is what the id of every ${one} begins with: at least ${MIN_CHARS} characters after ${begins} are needed. ${shows}`;
    return { why: 'nothing', fault };
  }
  if (of && of.one !== one) {
    const shown = typed.slice(0, TOLD_CHARS);
    return {
      why: 'other',
      fault: `${shown} is the id of a ${of.one}, and not of a ${one}: \`${of.list} ${shown}\` shows it.`,
    };
  }
  const start = bare(typed, sort);
  if (start.length >= MIN_CHARS) return { start };
  const fault = `${typed} is too little to name a ${one}: at least ${MIN_CHARS} characters of its id are needed. ${shows}`;
  return { why: 'little', fault };
}

/**
 * The one of these ids that is meant by what somebody wrote: a whole id, or a beginning that no other has.
 * @param ids all there are, or all that begin so
 */
export function idMeant(
  written: string,
  ids: Iterable<string>,
  sort: IdSort,
): { readonly id: string } | IdFault {
  const read = startOfId(written, sort);
  if ('fault' in read) return read;
  const found = [...ids].filter((id) => bare(id, sort).startsWith(read.start));
  const exact = found.find((id) => bare(id, sort) === read.start);
  const [only = exact, ...others] = found;
  const { one, list, gone } = sort;
  if (only === undefined) {
    const fault = `No ${one} ${written.trim().slice(0, TOLD_CHARS)}: ${gone}. \`${list}\` lists them.`;
    return { why: 'none', fault };
  }
  if (exact !== undefined || others.length === 0) return { id: exact ?? only };
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : '';
  const named = found.slice(0, SHOWN).join(', ');
  return {
    why: 'several',
    fault: `Several ${one}s begin with ${written.trim()}: ${named}${more}. Write more of the id.`,
  };
}

/**
 * What a model is told of an id that it gave for one of this sort, and that says it is of another; undefined where it does
 * not say so.
 */
export function otherSort(written: string, { one }: IdSort): string | undefined {
  const { typed, of } = readId(written);
  if (!of || of.one === one) return undefined;
  const shown = typed.slice(0, TOLD_CHARS);
  const reads = of.read === undefined ? [] : [`${of.read.replace('<id>', () => shown)} reads it`];
  return `${shown} is the id of a ${of.one}, and not of a ${one}: ${[...reads, `\`${of.list} ${shown}\` shows it to people`].join(', ')}.`;
}
