/** Calls a tool once with the given store, when told to: `call-child.ts URL FILE`. */
import { once } from 'node:events'
import { createClient } from '../src/node.ts'
import { sealedFile } from '../src/tokens/sealed-file.ts'

const [url = '', file = ''] = process.argv.slice(2)
const client = createClient({ url, store: sealedFile({ file }) })
process.stdout.write('ready\n')
await once(process.stdin, 'data')
process.stdin.destroy()
try {
  await client.call('business.list')
  process.stdout.write('called\n')
} catch (error) {
  process.stdout.write(`${String((error as { code?: unknown }).code)}\n`)
}
