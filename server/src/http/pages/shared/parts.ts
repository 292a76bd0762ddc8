import { type Cookies, createCookies } from './cookies.ts'
import type { PagesDeps } from './deps.ts'
import { createFormGuard, type FormGuard } from './form.ts'

/** The parts from which every page is made. */
export interface PageParts extends PagesDeps {
  cookies: Cookies
  guard: FormGuard
}

export function pageParts(deps: PagesDeps): PageParts {
  const cookies = createCookies(deps)
  return { ...deps, cookies, guard: createFormGuard(deps.config, cookies) }
}
