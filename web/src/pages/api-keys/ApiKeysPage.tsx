export function ApiKeysPage() {
  return <div className="pagebar" />
}
