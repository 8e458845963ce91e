import { relative } from 'node:path';
import { counted } from '@nexus/primitives';
import { visibleWord } from '@nexus/untrusted/shown';
import { type PackageImport, realPlace } from './package-files.ts';

/** An import of a package, and each place where it may be found with where that really is. */
type BoundPackage = readonly [specifier: string, places: readonly (readonly [string, string])[]];

const MAX_SHOWN = 8;

/** What a word of trust is for, of packages: where each was when it was given. */
export function boundPackages(packages: readonly PackageImport[], folder: string): BoundPackage[] {
  const bound = packages.map(
    ({ specifier, places }): BoundPackage => [
      specifier,
      places.map((place) => [relative(folder, place), relative(folder, realPlace(place))]),
    ],
  );
  return [...new Map(bound.map((each) => [JSON.stringify(each), each]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each);
}

export function shownPackages(bound: readonly BoundPackage[]): string[] {
  const more = bound.length - MAX_SHOWN;
  return [
    ...bound.slice(0, MAX_SHOWN).map(([specifier, places]) => {
      const found = places
        .map(([place]) => place)
        .filter((place) => !/(?:^|[/\\])package\.json$/.test(place));
      return found.length === 0
        ? `imports ${visibleWord(specifier)}, which is not there now`
        : `imports ${visibleWord(specifier)} from ${found.map(visibleWord).join(', ')}`;
    }),
    ...(more > 0 ? [`and imports ${counted(more, 'more package')}`] : []),
  ];
}
