/** docs/reference: the pages that a fresh installation serves below /docs, and llms.txt. */
import { llmsText } from 'crier-server/reference/llms.ts'
import { markdownOf } from 'crier-server/reference/markdown.ts'
import { pagesOf } from 'crier-server/reference/pages/all.ts'
import { freshSite } from 'crier-server/reference/site.ts'
import { freshCatalog } from './catalog.ts'

export const referenceFolder = 'docs/reference'

export const referenceFiles: { path: string; make: () => Promise<string> }[] = [
  { path: `${referenceFolder}/llms.txt`, make: async () => llmsText(freshCatalog(), freshSite) },
  ...pagesOf(freshCatalog(), freshSite).map((page) => ({
    path: `${referenceFolder}/${page.path}.md`,
    make: async () => markdownOf(page),
  })),
]
