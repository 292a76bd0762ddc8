export const toolPath = '/api/functions/svc-mcp'
export const aliasPath = '/mcp'
/** As the list of tools has it. */
export const businessList = 'svc_v1_business_list'

/** A tool of the contract: every connection sees it, and a person may untick its scope. */
export const probe = 'svc_v1_form_list'
export const probeScope = 'forms:read'
