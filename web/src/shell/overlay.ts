/** What may lie over the page; one at a time. */
export type Overlay = 'menu' | 'businesses' | 'palette' | 'keys'
