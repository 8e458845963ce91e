import type { ToolHints } from '@nexus/plugin-sdk';

/** readOnly, destructive, idempotent, openWorld: `+` true, `-` false. */
type Marks = `${Mark} ${Mark} ${Mark} ${Mark}`;
type Mark = '+' | '-';

/** The hints that hosts were promised for these names; a tool that takes one of them keeps its hints. */
const taxonomy = {
  orchestrate: '- - - +',
  create_expert: '- - - -',
  execute_expert: '- - - +',
  run_workflow: '- - - +',
  run_graph_workflow: '- - - +',
  run_pipeline: '- - - +',
  run_dev_pipeline: '- - - +',
  execute_spec: '- - - +',
  consensus_vote: '- - - +',
  supply_chain_tradeoff_panel: '- - - +',
  pr_review: '- - - +',
  delegate_to_model: '+ - + -',
  list_experts: '+ - + -',
  list_workflows: '+ - + -',
  research_query: '+ - + -',
  research_analyze: '+ - + -',
  research_synthesize: '+ - + -',
  research_discover: '+ - + +',
  research_add: '- - - +',
  research_add_source: '- - - +',
  research_catalog_review: '- - - -',
  survey_oss_landscape: '+ - + +',
  vendor_publishing_audit: '+ - + -',
  compare_data_feeds: '+ - + -',
  memory_query: '+ - + -',
  memory_stats: '+ - + -',
  memory_write: '- - - -',
  weather_report: '+ - + -',
  query_trace: '+ - + -',
  query_task_state: '+ - + -',
  verify_audit_chain: '+ - + -',
  improvement_review: '- - - +',
  repo_analyze: '+ - + +',
  repo_security_plan: '+ - + +',
  extract_symbols: '+ - + -',
  search_codebase: '+ - + -',
  issue_triage: '- - - +',
  registry_import: '+ - + +',
} as const satisfies Record<string, Marks>;

export const annotationTaxonomy: ReadonlyMap<string, ToolHints> = new Map(
  Object.entries(taxonomy).map(([name, marks]) => {
    const [readOnlyHint, destructiveHint, idempotentHint, openWorldHint] = marks
      .split(' ')
      .map((mark) => mark === '+') as [boolean, boolean, boolean, boolean];
    return [name, { readOnlyHint, destructiveHint, idempotentHint, openWorldHint }];
  }),
);
