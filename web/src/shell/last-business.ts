const key = 'crier-business'

export const rememberBusiness = (id: string) => localStorage.setItem(key, id)
export const lastBusiness = () => localStorage.getItem(key)
