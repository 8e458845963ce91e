/** What servers listed when they were last asked. */
export interface CatalogueTable {
  toolbox: string;
  server: string;
  /** Of the settings it was listed with, without secrets. */
  settings_key: string;
  /** The raw list, as JSON. */
  tools: string;
  /** What reading the list found, as JSON; null where a build wrote it that kept none. */
  digest: string | null;
  listed_at: number;
}

/** Definitions of tools as they were first seen, or accepted. */
export interface PinTable {
  toolbox: string;
  server: string;
  tool: string;
  hash: string;
  definition: string;
  /** The changed definition that waits to be accepted. */
  held_hash: string | null;
  held_definition: string | null;
  pinned_at: number;
}

/** Toolboxes that sessions have open. */
export interface OpenTable {
  session_id: string;
  toolbox: string;
  opened_at: number;
}

/** What results of tools without an output schema look like. */
export interface ShapeTable {
  /** Whose results they were; empty for the server's own user. */
  user_id: string;
  toolbox: string;
  server: string;
  tool: string;
  /** Of the definition whose results they were: of another one nothing is known. */
  definition_hash: string;
  /** A JSON Schema of kinds and names, without any value. */
  shape: string;
  learnt_at: number;
}

export interface ToolboxTables {
  toolboxes_catalogue: CatalogueTable;
  toolboxes_pins: PinTable;
  toolboxes_open: OpenTable;
  toolboxes_shapes: ShapeTable;
}
