/** The routes of a service, in the form in which it declares them. */
import type { App } from 'crier-server/composition/app.ts'

/** All routes, or those that answer this method. */
export function routesOf({ server }: Pick<App, 'server'>, method = ''): string[] {
  const parents: string[] = []
  const found: string[] = []
  for (const line of server.printRoutes({ commonPrefix: false }).split('\n')) {
    const [branch, name] = line.split('── ')
    if (branch === undefined || name === undefined) continue
    const [segment = '', methods = ''] = name.split(' (')
    parents.length = Math.floor(branch.length / 4)
    parents.push(segment)
    if (methods.includes(method))
      found.push(`/${parents.join('/').split('/').filter(Boolean).join('/')}`)
  }
  return found
}
