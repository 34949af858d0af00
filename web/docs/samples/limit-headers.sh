curl -s -i "$TAPELINE_URL/api/v1/health" \
  -H "Authorization: Bearer $TAPELINE_KEY"
