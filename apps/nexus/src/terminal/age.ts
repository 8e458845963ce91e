const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1000 },
] as const;

/** How long ago a moment was, in its largest unit: `5 min`. */
export function age(moment: string, now: number = Date.now()): string {
  const ms = Math.max(0, now - Date.parse(moment));
  const unit = UNITS.find((each) => ms >= each.ms) ?? { name: 's', ms: 1000 };
  return `${Math.floor(ms / unit.ms)} ${unit.name}`;
}
