{{- /* Image of our own: registry, repository, digest or tag. Called with (list $ "node"). */ -}}
{{- define "tapeline.image" -}}
{{- $root := index . 0 -}}
{{- $image := get $root.Values.images (index . 1) -}}
{{- $name := printf "%s/%s" $root.Values.images.registry $image.repository | trimPrefix "/" -}}
{{- if $image.digest }}{{ $name }}@{{ $image.digest }}{{ else }}{{ $name }}:{{ $image.tag | default $root.Chart.AppVersion }}{{ end -}}
{{- end -}}

{{- define "tapeline.webOrigin" -}}
{{ .Values.settings.WEB_ORIGIN | default (printf "https://%s" .Values.hosts.pages) }}
{{- end -}}

{{- /* Name of a role's Deployment: served by the service's own name, else service-role. Called with (list "audit" "jobs"). */ -}}
{{- define "tapeline.roleName" -}}
{{- if eq (index . 1) "http" }}{{ index . 0 }}{{ else }}{{ index . 0 }}-{{ index . 1 }}{{ end -}}
{{- end -}}

{{- /* Labels of `name` or `name/role`, as docs/edges.yaml writes them. */ -}}
{{- define "tapeline.labels" -}}
{{- $parts := splitList "/" . -}}
app.kubernetes.io/name: {{ first $parts }}
{{- if gt (len $parts) 1 }}
app.kubernetes.io/component: {{ last $parts }}
{{- end }}
{{- end -}}

{{- define "tapeline.objectLabels" -}}
{{ include "tapeline.labels" . }}
app.kubernetes.io/part-of: tapeline
{{- end -}}

{{- define "tapeline.settings" -}}
{{- $derived := dict "WEB_ORIGIN" (include "tapeline.webOrigin" .) -}}
{{- $_ := set $derived "CORS_ORIGINS" (.Values.settings.CORS_ORIGINS | default (include "tapeline.webOrigin" .)) -}}
{{- if .Values.caCertificates }}{{ $_ := set $derived "NODE_EXTRA_CA_CERTS" "/etc/tapeline/ca.crt" }}{{ end -}}
{{- range $name, $value := merge $derived .Values.settings }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end -}}
