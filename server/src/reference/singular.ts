/** Words whose last letter s is no plural. */
const unchanged = ['series', 'sms', 'dns']

/** The name of one element of a field's list: `addresses` becomes `address`. */
export function singular(key: string): string {
  if (key.endsWith('ss') || unchanged.some((word) => key.endsWith(word))) return key
  if (key.endsWith('ies')) return `${key.slice(0, -3)}y`
  if (['aliases', 'sses', 'tuses', 'shes', 'ches'].some((end) => key.endsWith(end)))
    return key.slice(0, -2)
  return key.endsWith('s') ? key.slice(0, -1) : key
}
