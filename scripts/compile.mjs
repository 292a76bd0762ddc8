// Reads the modules of a start so that Node keeps them compiled; setup.mjs runs it.
import { runFromSource } from '../cli/from-source.mjs'

runFromSource()
await import('../cli/src/main.ts')
await import('../cli/src/commands/operator/serve.ts')
await import('crier-server/operator.ts')
// What the threads read alone.
await import('crier-server/imports/layout.ts')
await import('crier-server/imports/reader.ts')
