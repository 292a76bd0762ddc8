/**
 * `node --conditions=crier-source scripts/docs-site.ts FOLDER [URL]`: writes the documentation as
 * files, for any web server that serves a folder at the root of a host. `URL` is that of the service
 * which the samples call; without it they call one on this machine.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createLibrary } from '../server/src/http/docs/library.ts'
import { docsScripts } from '../server/src/http/docs/script.ts'
import { stylesheets } from '../server/src/http/pages/shared/stylesheet.ts'
import { freshSite } from '../server/src/reference/site.ts'
import { freshCatalog } from './generators/catalog.ts'

const [folder, address] = parseArgs({ allowPositionals: true }).positionals
if (folder === undefined) {
  console.error('Name the folder to write to: docs-site.ts FOLDER [URL]')
  process.exit(2)
}

const url = address?.replace(/\/$/, '')
const site = url === undefined ? freshSite : { ...freshSite, appUrl: url, gatewayUrl: url }
const library = createLibrary(freshCatalog(), site)
let files = 0

function write(file: string, body: string | Buffer): void {
  const place = path.join(folder ?? '', file)
  mkdirSync(path.dirname(place), { recursive: true })
  writeFileSync(place, body)
  files++
}

for (const address of library.paths()) {
  const document = library.find(address)
  if (!document) continue
  // A page is the index of a folder of its name, so that its address needs no ending.
  const isPage = document.type.startsWith('text/html')
  write(isPage ? `${address}/index.html` : address, document.body)
}
// Where a browser without a script would be answered by the service.
write('/docs/search/index.html', library.search(''))
for (const [address, source] of Object.entries(docsScripts)) write(address, source())
for (const { path: address, source } of stylesheets) write(address, source)
console.log(`Wrote ${files} files to ${folder}. Serve it at the root of a host: /docs.`)
