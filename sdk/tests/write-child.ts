/** Rewrites a store without end, to be killed at any moment: `write-child.ts FILE`. */
import { sealedFile } from '../src/tokens/sealed-file.ts'

const [file = ''] = process.argv.slice(2)
const store = sealedFile({ file })
process.stdout.write('ready\n')
for (let expiresAt = 1; ; expiresAt++) {
  await store.exclusive(async () => {
    const connection = await store.read()
    if (!connection) throw new Error('the connection is gone')
    await store.write({ ...connection, expiresAt })
  })
}
