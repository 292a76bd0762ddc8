/** The search parameters of a form's page. */
export const formTabs = ['build', 'share', 'submissions', 'held'] as const
export type FormTab = (typeof formTabs)[number]

export interface FormSearch {
  tab?: FormTab
  /** The submission in the drawer. */
  open?: string
}

export function readFormSearch({ tab, open }: Record<string, unknown>): FormSearch {
  const known = formTabs.find((formTab) => formTab === tab)
  return { ...(known && { tab: known }), ...(typeof open === 'string' && { open }) }
}
