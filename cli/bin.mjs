#!/usr/bin/env node
// Starts the command line: from source in a checkout, from dist where it was published.
// Plain JavaScript, since it is what makes the source runnable.
import { existsSync } from 'node:fs'
import module from 'node:module'

const source = new URL('./src/main.ts', import.meta.url)
const inCheckout = existsSync(source)

if (inCheckout && Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `crier needs Node 24 or newer to run from source, and this is ${process.version}: use "npx crier", which brings its own.`,
  )
  process.exit(1)
}
if (inCheckout) {
  // Types are stripped once and kept; without it every start would strip them again.
  module.enableCompileCache()
  module.registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith('crier-')
        ? next(specifier, { ...context, conditions: [...context.conditions, 'crier-source'] })
        : next(specifier, context),
  })
}

const entry = inCheckout ? source : new URL('./dist/main.js', import.meta.url)
const { main } = await import(entry.href)
process.exitCode = await main(process.argv)
