// Runs before the first paint, so that no theme flashes. A file of its own, because the page forbids inline scripts.
document.documentElement.dataset.script = ''
try {
  const chosen = localStorage.getItem('tapeline-theme')
  if (chosen === 'light' || chosen === 'dark' || chosen === 'system') document.documentElement.dataset.theme = chosen
} catch {
  // Storage is blocked: the default stays.
}
