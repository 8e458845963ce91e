import type { NamedTool, RegisteredTool } from '@nexus/core';
import type { CataloguedTool, ToolHints } from '@nexus/plugin-sdk';
import { asHostsTake } from '../definitions/as-hosts-take.ts';
import { asTheirs } from '../definitions/as-theirs.ts';
import { originName } from '../definitions/origin-name.ts';
import type { Definition } from '../definitions/read-definitions.ts';
import type { RegisteredName } from '../definitions/registered-names.ts';
import { renamed } from '../definitions/renamed.ts';
import { toolHints } from '../definitions/tool-hints.ts';
import { definitionOf, type ToolOrigin } from './tool-origin.ts';

// Of both there are as many as all toolboxes have tools, and few are ever shown or called: what is read of a
// definition is read when somebody asks for it.

/** A tool as it is found. */
class FoundTool implements CataloguedTool {
  readonly toolbox: string;
  readonly registeredName: string;
  readonly #origin: ToolOrigin;

  constructor(toolbox: string, origin: ToolOrigin, registeredName: string) {
    this.toolbox = toolbox;
    this.#origin = origin;
    this.registeredName = registeredName;
  }

  get server(): string {
    return this.#origin.server;
  }

  get tool(): string {
    return this.#origin.name;
  }

  get definition(): Definition {
    const definition = definitionOf(this.#origin);
    return this.tool === definition.name ? definition : { ...definition, name: this.tool };
  }

  get hints(): ToolHints {
    return toolHints(definitionOf(this.#origin).annotations);
  }
}

/** One tool of a toolbox, as it is found and as it is registered. */
export class OfferedTool {
  readonly catalogued: CataloguedTool;
  readonly #origin: ToolOrigin;
  readonly #making: Making;
  #registered: RegisteredTool | undefined;

  constructor(toolbox: string, origin: ToolOrigin, making: Making) {
    this.catalogued = new FoundTool(toolbox, origin, making.registered);
    this.#origin = origin;
    this.#making = making;
  }

  /** What it is called and what it is, without its being made. */
  get named(): NamedTool {
    const { toolbox, server, registeredName } = this.catalogued;
    return { name: registeredName, origin: originName(toolbox, server, this.#origin.listed.name) };
  }

  get registered(): RegisteredTool {
    const { register, registered, full } = this.#making;
    const { toolbox, server } = this.catalogued;
    this.#registered ??= register(
      this.#origin,
      renamed(asTheirs(asHostsTake(definitionOf(this.#origin)), `${toolbox}/${server}`), registered, full),
    );
    return this.#registered;
  }
}

interface Making extends RegisteredName {
  readonly register: (origin: ToolOrigin, listing: Definition) => RegisteredTool;
}
