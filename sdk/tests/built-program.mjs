// A program over the built package, on any Node >= 20: `built-program.mjs ENTRY URL FILE`.
// It signs in, calls a tool from a second client over the same file, and signs out.
const [entry, url, file] = process.argv.slice(2)
const { createClient, sealedFile } = await import(entry)
const connect = () => createClient({ url, store: sealedFile({ file }) })

await connect().signIn({ open: (address) => void fetch(address) })
const { businesses } = await connect().call('business.list')
const revoked = await connect().signOut()
process.stdout.write(JSON.stringify({ businesses: businesses.length, revoked }))
