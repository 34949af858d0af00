curl -s "$TAPELINE_URL/api/v1/status"
