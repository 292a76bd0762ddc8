// Loaded by every test, before any source: keeps what Node strips and compiles for the next file,
// which saves half a second of each. Plain JavaScript, since it comes before what is kept.
import { enableCompileCache } from 'node:module'
import path from 'node:path'

// Coverage of cached functions is not precise, and these tests count by it.
const countsByCoverage = process.argv[1]?.includes(path.join('tests', 'paths')) ?? false
if (!countsByCoverage) {
  enableCompileCache(path.join(import.meta.dirname, '../../node_modules/.cache/tests'))
}
