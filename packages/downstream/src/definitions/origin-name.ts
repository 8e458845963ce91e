import type { ToolListing } from '@nexus/core';

/** Says in a listing what a tool is, where it is called otherwise. */
const ORIGIN = 'nexus/origin';

/**
 * What a tool of a toolbox is, by its server's own name for it: no filter, rename or prefix of the config changes it.
 * Two tools never have the same, since what is before the last part can't hold the mark between parts.
 */
export function originName(toolbox: string, server: string, tool: string): string {
  return [withoutMark(toolbox), withoutMark(server), tool].join('__');
}

function withoutMark(part: string): string {
  return /^_|__|_$|%/.test(part) ? part.replace(/[%_]/g, (each) => (each === '%' ? '%25' : '%5F')) : part;
}

/** The listing, which says so where its name is another; what its server says of that is not passed on. */
export function withOrigin(listing: ToolListing, origin: string): ToolListing {
  const { _meta: meta, ...rest } = listing;
  const { [ORIGIN]: _, ...others } =
    typeof meta === 'object' && meta !== null ? (meta as Record<string, unknown>) : {};
  const isOther = listing.name !== origin;
  if (!isOther && !(ORIGIN in ((meta as object | undefined) ?? {}))) return listing;
  const said = isOther ? { ...others, [ORIGIN]: origin } : others;
  return Object.keys(said).length > 0 ? { ...listing, _meta: said } : rest;
}
