import type { HostLine } from './host-line.ts';
import { unheardAnswer } from './lost-answer.ts';

/** What the host says while there is no owner to hear it. */
export interface BufferedLines {
  readonly bytes: number;
  add(item: HostLine): void;
  takeAll(): readonly HostLine[];
  /** Nobody will hear it: the answers to the requests among it, as lines. */
  refuseAll(): readonly string[];
}

export function createBufferedLines(): BufferedLines {
  let items: HostLine[] = [];
  let bytes = 0;
  const takeAll = () => {
    const taken = items;
    items = [];
    bytes = 0;
    return taken;
  };
  return {
    get bytes() {
      return bytes;
    },
    add(item) {
      items.push(item);
      bytes += item.line.length;
    },
    takeAll,
    refuseAll: () =>
      takeAll().flatMap(({ message }) =>
        message?.method === undefined || message.id === undefined
          ? []
          : [`${JSON.stringify(unheardAnswer(message))}\n`],
      ),
  };
}
