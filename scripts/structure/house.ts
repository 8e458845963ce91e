import type { ICruiseResult } from 'dependency-cruiser';

/** A part of the code as rooms, and who imports from whom. */
export interface House {
  readonly rooms: readonly string[];
  /** In the order of their names; a room’s imports from itself are none. */
  readonly arrows: readonly Arrow[];
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
  /** How many imports it stands for. */
  readonly imports: number;
}

const TEST = /[.]test[.]ts$|\/test\//;

/** The packages and the app as rooms. */
export function packagesOf(modules: ICruiseResult['modules']): House {
  return houseOf(
    modules,
    (file) => /^(?:apps|packages\/plugins|packages(?!\/plugins))\/[^/]+/.exec(file)?.[0],
  );
}

/** The files and folders of one folder as rooms. */
export function roomsOf(modules: ICruiseResult['modules'], folder: string): House {
  return houseOf(modules, (file) => {
    if (!file.startsWith(`${folder}/`)) return undefined;
    return file.slice(folder.length + 1).replace(/\/.*$|[.]ts$/, '');
  });
}

/** Tests are no rooms: they import whatever they test. */
function houseOf(modules: ICruiseResult['modules'], roomOf: (file: string) => string | undefined): House {
  const rooms = new Set<string>();
  const arrows = new Map<string, Arrow>();
  for (const { source, dependencies } of modules) {
    const from = TEST.test(source) ? undefined : roomOf(source);
    if (from === undefined) continue;
    rooms.add(from);
    for (const { resolved } of dependencies) {
      const to = roomOf(resolved);
      if (to === undefined || to === from) continue;
      const key = JSON.stringify([from, to]);
      arrows.set(key, { from, to, imports: (arrows.get(key)?.imports ?? 0) + 1 });
    }
  }
  return {
    rooms: [...rooms].sort(),
    arrows: [...arrows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, arrow]) => arrow),
  };
}
