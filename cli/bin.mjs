#!/usr/bin/env node
// Starts the command line: from source in a checkout, from dist where it was published.
// Plain JavaScript, since it is what makes the source runnable.
import { existsSync } from 'node:fs'

const source = new URL('./src/main.ts', import.meta.url)
const inCheckout = existsSync(source)

if (inCheckout && Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `crier needs Node 24 or newer to run from source, and this is ${process.version}: use "npx crier", which brings its own.`,
  )
  process.exit(1)
}
if (inCheckout) {
  const { runFromSource } = await import('./from-source.mjs')
  runFromSource()
}

const entry = inCheckout ? source : new URL('./dist/main.js', import.meta.url)
const { main } = await import(entry.href)
process.exitCode = await main(process.argv)
