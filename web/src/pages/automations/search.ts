export const automationTabs = ['path', 'edit', 'start', 'person'] as const
export type AutomationTab = (typeof automationTabs)[number]

export interface AutomationSearch {
  tab?: AutomationTab
  /** The contact whose way is shown. */
  contact?: string
}

export function readAutomationSearch(search: Record<string, unknown>): AutomationSearch {
  const { tab, contact } = search
  return {
    ...(automationTabs.includes(tab as AutomationTab) && { tab: tab as AutomationTab }),
    ...(typeof contact === 'string' && { contact }),
  }
}

export function readAutomationsSearch({ add }: Record<string, unknown>): { add?: true } {
  return add === true ? { add } : {}
}
