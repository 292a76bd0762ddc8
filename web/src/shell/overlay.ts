/** The overlays of the page, of which one is shown at a time. */
export type Overlay = 'menu' | 'businesses' | 'palette' | 'keys' | 'help'
