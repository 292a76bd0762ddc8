/**
 * The conformance suite's results for a server that has only tools: the scenarios that pass, and by
 * name those that do not apply, each with its reason. The test fails if one of these starts to
 * pass, or if a passing one fails.
 */
export const revisions = ['2025-06-18', '2025-11-25', '2026-07-28'] as const
export type Revision = (typeof revisions)[number]

const everywhere = [
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
]

export const passes: Record<Revision, readonly string[]> = {
  '2025-06-18': [...everywhere, 'server-initialize', 'ping'],
  '2025-11-25': [...everywhere, 'server-initialize', 'ping', 'dns-rebinding-protection'],
  '2026-07-28': [
    ...everywhere,
    'server-stateless',
    'dns-rebinding-protection',
    'http-header-validation',
    'caching',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
    'server-sse-multiple-streams',
  ],
}

/** Scenarios that the suite itself skips as inapplicable, after it has queried the server. */
export const skippedBySuite: readonly string[] = [
  'server-session-lifecycle',
  'tasks-status-notifications',
]

export interface Baseline {
  readonly reason: string
  /** Whole scenarios, at every revision, or at one: `scenario@revision`. */
  readonly scenarios?: readonly string[]
  /** Single checks of scenarios that otherwise pass: `scenario:check`. */
  readonly checks?: readonly string[]
}

export const baseline: readonly Baseline[] = [
  {
    reason: 'No prompts are offered, and none are advertised.',
    scenarios: [
      'prompts-list',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-embedded-resource',
      'prompts-get-with-image',
      'input-required-result-non-tool-request',
    ],
    checks: ['caching:sep-2549-prompts-list-caching-hints'],
  },
  {
    reason: 'No resources are offered, and none are advertised.',
    scenarios: [
      'resources-list',
      'resources-read-text',
      'resources-read-binary',
      'resources-templates-read',
      'resources-subscribe',
      'resources-unsubscribe',
      'sep-2164-resource-not-found',
    ],
    checks: [
      'caching:sep-2549-resources-list-caching-hints',
      'caching:sep-2549-resources-templates-list-caching-hints',
    ],
  },
  {
    reason: 'No completion, since there are no prompts and resources whose arguments it completes.',
    scenarios: ['completion-complete'],
  },
  {
    reason:
      'No log lines are sent. Progress is, but not by the fixtures that the suite calls: only of an import, a tagging and a campaign.',
    scenarios: ['logging-set-level', 'tools-call-with-logging', 'tools-call-with-progress'],
  },
  {
    reason: 'No sessions and no listening stream: each POST stands alone.',
    scenarios: ['server-sse-polling', 'server-sse-multiple-streams@2025-11-25'],
  },
  {
    reason:
      'Tools ask the client to open a page for its person, and for nothing else: no forms, no sampling, no roots.',
    scenarios: [
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'input-required-result-basic-elicitation',
      'input-required-result-basic-sampling',
      'input-required-result-basic-list-roots',
      'input-required-result-request-state',
      'input-required-result-multiple-input-requests',
      'input-required-result-multi-round',
      'input-required-result-missing-input-response',
      'input-required-result-result-type',
      'input-required-result-tampered-state',
      'input-required-result-capability-check',
      'input-required-result-ignore-extra-params',
    ],
  },
  {
    reason: 'The tasks extension is optional, and not advertised.',
    scenarios: [
      'tasks-lifecycle',
      'tasks-capability-negotiation',
      'tasks-wire-fields',
      'tasks-request-state-removal',
      'tasks-mrtr-input',
      'tasks-request-headers',
      'tasks-dispatch-and-envelope',
      'tasks-required-task-error',
      'tasks-mrtr-composition',
    ],
  },
  {
    reason: 'No tool maps an argument to a header of its own (`x-mcp-header`).',
    scenarios: ['http-custom-header-server-validation'],
  },
  {
    reason:
      'The suite looks for its fixture under a bare name in `tools/list`; names here carry a version (`svc.v1.…`).',
    scenarios: ['json-schema-2020-12'],
  },
]

export const authorizationScenarios: readonly string[] = [
  'authorization-server-metadata-endpoint',
  'authorization-code-grant',
]
