/** docs/reference/openapi.json: the document that a fresh installation serves. */
import { openApiDocument } from 'crier-server/reference/openapi/document.ts'
import { freshSite } from 'crier-server/reference/site.ts'
import { freshCatalog } from './catalog.ts'

export async function openApi(): Promise<string> {
  return `${JSON.stringify(openApiDocument(freshCatalog(), freshSite), null, 2)}\n`
}
