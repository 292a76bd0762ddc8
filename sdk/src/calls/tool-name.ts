/** The spellings of a tool's name. */

/**
 * The name for tools/call. `form.list` gets the service's prefix and version, from the endpoint's
 * path. Whole names (`svc.v1.form.list`, `svc_v1_form_list`) and the contract's bare names
 * (`list_campaigns`) are not changed.
 */
export function toolName(name: string, toolEndpoint: string): string {
  if (!/^[a-z]+\.[a-z_]+$/.test(name)) return name
  const slug = /\/([a-z][a-z0-9]*)-mcp\/?$/.exec(new URL(toolEndpoint).pathname)?.[1] ?? 'svc'
  return `${slug}.v1.${name}`
}

/** `form.list` for `svc.v1.form.list`, `svc_v1_form_list` and `form.list`; other names are not changed. */
export function shortName(name: string): string {
  const [, noun, verb] = /^[a-z][a-z0-9]*[._]v1[._]([a-z]+)[._]([a-z_]+)$/.exec(name) ?? []
  return noun === undefined ? name : `${noun}.${verb}`
}
