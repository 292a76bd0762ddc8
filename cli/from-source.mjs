// What makes a checkout run from its sources. Plain JavaScript, since nothing else runs yet.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

// In the checkout and not among the system's temporary files, which are swept.
const compileCache = fileURLToPath(new URL('../node_modules/.cache/crier', import.meta.url))

export function runFromSource() {
  // Types are stripped once and kept; without it every start would strip them again.
  const { status } = module.enableCompileCache(compileCache)
  const { FAILED } = module.constants.compileCacheStatus
  // A checkout that nobody may write to: Node's own choice of a place.
  if (status === FAILED) module.enableCompileCache()
  module.registerHooks({
    resolve: (specifier, context, next) =>
      /^(@crier-mail\/|crier-server)/.test(specifier)
        ? next(specifier, { ...context, conditions: [...context.conditions, 'crier-source'] })
        : next(specifier, context),
  })
}
