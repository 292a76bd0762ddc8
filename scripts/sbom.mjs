/**
 * The bill of materials of what is shipped (CycloneDX), from the lock file. `npm sbom --omit=dev` also
 * leaves out what both the service and the tests use, so what is for development alone is taken out here.
 */
import { execFileSync } from 'node:child_process'
import path from 'node:path'

const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--offline']
const cwd = path.join(import.meta.dirname, '..')
const bill = JSON.parse(execFileSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 50_000_000 }))
const isForDevelopment = ({ properties = [] }) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')
const components = bill.components.filter((component) => !isForDevelopment(component))
const shipped = new Set([
  bill.metadata.component['bom-ref'],
  ...components.map((component) => component['bom-ref']),
])
const dependencies = bill.dependencies
  .filter(({ ref }) => shipped.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((on) => shipped.has(on)) }))
console.log(JSON.stringify({ ...bill, components, dependencies }, null, 2))
