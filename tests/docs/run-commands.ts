/** Runs the calls of the command line that a script noted in a file, each as its own `crier`. */
import { readFileSync } from 'node:fs'
import { main } from '../../cli/src/main.ts'

const words = readFileSync(process.argv[2] ?? '', 'utf8')
  .split('\0')
  .slice(0, -1)
let failed = false
while (words.length > 0) {
  const call = words.splice(0, Number(words.shift()))
  // The program looks at these, too, to make only the commands that it needs.
  process.argv = ['node', 'crier', ...call]
  const code = await main(process.argv)
  process.exitCode = undefined
  if (code === 0) continue
  failed = true
  process.stderr.write(`crier ${call.join(' ')} ended with ${code}\n`)
}
process.exitCode = failed ? 1 : 0
